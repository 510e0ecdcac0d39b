import { lintRules } from './tools/lint-rules.ts';

export default lintRules;
