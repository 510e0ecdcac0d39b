// Run by a test as a program: commits an action on the database in TEST_DATABASE, and dies before it publishes the event.
import { CreateUser } from '../src/domains/users/actions/CreateUser.ts';
import { connectDatabase, type DatabaseAddress } from '../src/platform/db/connect.ts';
import { createExecutor } from '../src/calls/executor.ts';
import type { AnyHandler } from '../src/calls/handler.ts';
import { testStorages } from './test-storages.ts';
import { testVault } from './test-vault.ts';

const address = JSON.parse(process.env['TEST_DATABASE'] ?? '') as DatabaseAddress;
const db = connectDatabase(address, { maxConnections: 2, onIdleError() {} });
const executor = createExecutor({
  handlers: { users_CreateUser: CreateUser as AnyHandler },
  db,
  openingDb: db,
  now: () => new Date(),
  vault: testVault,
  storages: testStorages,
  nodeId: () => undefined,
  afterCommit: () => process.kill(process.pid, 'SIGKILL'),
  log: console,
});
const caller = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
await executor.invoke(caller, 'users_CreateUser', { email: 'left@example.org' });
