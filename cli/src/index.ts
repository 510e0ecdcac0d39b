export { ManifestError } from './publish/ManifestError.ts';
export { parseManifest } from './publish/manifest.ts';
export { createProgram } from './program.ts';
