"""What reading a description needs: bytes, places, other files, and changes to it before it is read."""
