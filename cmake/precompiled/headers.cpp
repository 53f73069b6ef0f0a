// Carries precompiled headers; see mortise_precompile in MortiseBuild.cmake.
int main() {}
