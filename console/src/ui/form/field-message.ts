/**
 * The sentence of a validation error: of a string, of an object with `message` (a Standard Schema issue), or of the first
 * of a list of these. Undefined where there is none.
 */
export function fieldMessage(error: unknown): string | undefined {
  if (Array.isArray(error)) return error.map(fieldMessage).find((message) => message !== undefined);
  if (typeof error === 'string') return error === '' ? undefined : error;
  if (typeof error === 'object' && error !== null && 'message' in error) return fieldMessage(error.message);
  return undefined;
}
