export { pathOf } from './src/shell/section-paths.ts';
export { type Section, type SectionId, sections } from './src/shell/sections.ts';
