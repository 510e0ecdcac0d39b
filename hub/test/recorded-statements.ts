import { vi } from 'vitest';
import { DatabaseClient } from '../src/platform/db/connect.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements sent to the database from now on, and lists those that contain a text. */
export function recordStatements(): Disposable & { containing(text: string): Statement[] } {
  const query = vi.spyOn(DatabaseClient.prototype, 'query');
  return {
    containing: (text) =>
      query.mock.calls
        .map(([config, values]) =>
          typeof config === 'string'
            ? { text: config, values: (values ?? []) as readonly unknown[] }
            : (config as Statement),
        )
        .filter((statement) => statement.text?.includes(text)),
    [Symbol.dispose]: () => query.mockRestore(),
  };
}
