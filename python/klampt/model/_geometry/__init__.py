"""Parts of klampt.model.geometry."""
