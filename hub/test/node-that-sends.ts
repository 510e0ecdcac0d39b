// Run by a test as a program: a node that sends messages of webhooks and exports over OTLP on the database in TEST_DATABASE, by a clock that stands at TEST_NOW.
import { createExecutor } from '../src/calls/executor.ts';
import { outgoingRule } from '../src/config/outgoing-addresses.ts';
import { startOtlpExports } from '../src/domains/otlp/jobs/export-records.ts';
import { startWebhooks } from '../src/domains/webhooks/jobs/send-messages.ts';
import { connectDatabase, type DatabaseAddress } from '../src/platform/db/connect.ts';
import { openOutgoing } from '../src/platform/outgoing/open-outgoing.ts';
import { testStorages } from './test-storages.ts';
import { testVault } from './test-vault.ts';

const address = JSON.parse(process.env['TEST_DATABASE'] ?? '') as DatabaseAddress;
const db = connectDatabase(address, { maxConnections: 2, onIdleError() {} });
const executor = createExecutor({
  handlers: {},
  db,
  openingDb: db,
  now: () => new Date(process.env['TEST_NOW'] ?? ''),
  vault: testVault,
  storages: testStorages,
  nodeId: () => undefined,
  afterCommit() {},
  log: console,
});
const parts = () => ({
  executor,
  outgoing: openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) }),
  log: { warn: (fields: object) => console.error(fields) },
});
startWebhooks(parts());
startOtlpExports(parts());
