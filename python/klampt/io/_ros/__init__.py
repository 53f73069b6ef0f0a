"""Parts of klampt.io.ros."""
