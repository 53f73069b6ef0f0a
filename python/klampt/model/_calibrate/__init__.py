"""Parts of klampt.model.calibrate."""
