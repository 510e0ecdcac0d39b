// Loaded by `node --import` before a hub: kills the process at a call of the file system about assets, or before an answer to an upload, once the file that
// KILL_ORDERS names says so, such as `before rename`, `after datasync` or `before answer`. The hub itself knows nothing of it.
import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => Promise<unknown>;
type Counts = (self: object, args: readonly unknown[]) => boolean;

const orders = process.env['KILL_ORDERS'] ?? '';
const handles = new WeakSet<object>();
const isOfAssets = (path: unknown): boolean => /\/assets(?:\/|$)/.test(String(path));

function dieIfOrdered(moment: string): Promise<never> | undefined {
  if (!fs.existsSync(orders) || fs.readFileSync(orders, 'utf8') !== moment) return undefined;
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

function patch(target: object, name: string, counts: Counts): void {
  const functions = target as Record<string, Call>;
  const original = functions[name];
  if (original === undefined) throw new Error(`There is no ${name}.`);
  functions[name] = async function killable(this: object, ...args: unknown[]) {
    if (!counts(this, args)) return original.apply(this, args);
    await dieIfOrdered(`before ${name}`);
    const result = await original.apply(this, args);
    await dieIfOrdered(`after ${name}`);
    return result;
  };
}

const { open } = fs.promises;
const sample = await open(process.execPath);
for (const name of ['writev', 'datasync', 'sync'])
  patch(Object.getPrototypeOf(sample) as object, name, (self) => handles.has(self));
await sample.close();
fs.promises.open = async (...args) => {
  const handle = await open(...args);
  if (isOfAssets(args[0])) handles.add(handle);
  return handle;
};
patch(fs.promises, 'rename', (_self, [path]) => isOfAssets(path));
patch(fs.promises, 'rm', (_self, [path]) => String(path).includes('/assets/objects/'));
syncBuiltinESMExports();

const { prototype } = ServerResponse as unknown as {
  prototype: { writeHead: (...args: unknown[]) => unknown };
};
const { writeHead } = prototype;
prototype.writeHead = function killable(this: ServerResponse, ...args: unknown[]) {
  const { method = '', url = '' } = this.req;
  const isUpload = ['PUT', 'PATCH'].includes(method) && url.startsWith('/r/assets/');
  if (isUpload) void dieIfOrdered('before answer');
  return writeHead.apply(this, args);
};
