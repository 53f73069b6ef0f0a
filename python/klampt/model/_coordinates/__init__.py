"""Parts of klampt.model.coordinates."""
