// What the other domains, and the commands of operators, use of this one.
export { frameOf, readHistory, readNodes } from './sql/read-history.ts';
