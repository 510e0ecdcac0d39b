/** The message of a validation error: a string, an issue with `message`, or the first of a list; undefined without one. */
export function fieldMessage(error: unknown): string | undefined {
  if (Array.isArray(error)) return error.map(fieldMessage).find((message) => message !== undefined);
  if (typeof error === 'string') return error === '' ? undefined : error;
  if (typeof error === 'object' && error !== null && 'message' in error) return fieldMessage(error.message);
  return undefined;
}
