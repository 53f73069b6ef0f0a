"""Parts of klampt.model.sensing."""
