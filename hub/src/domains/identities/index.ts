// What the other domains, and the commands of operators, use of this one.
export { readTest } from './sql/provider-tests.ts';
