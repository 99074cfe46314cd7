"""What decides about the calls of a run: order, approvals, the Rule of Two, and the breaker."""
