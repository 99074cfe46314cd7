"""toolmint compiles API descriptions into typed tool packages that people commit."""
