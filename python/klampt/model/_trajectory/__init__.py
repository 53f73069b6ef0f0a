"""Parts of klampt.model.trajectory."""
