Sphere 0 0 0   0.035
