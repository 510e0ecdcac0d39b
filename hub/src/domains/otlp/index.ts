// What the other parts use of this domain.
export { reencryptOtlpHeaders } from './sql/exports.ts';
