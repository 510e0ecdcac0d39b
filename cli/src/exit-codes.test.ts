import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { corral, token } from '../test/cli-process.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A server that is no hub, or a failing one. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (status: number, body: object, headers: Record<string, string> = {}): RequestListener => {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};

const ask = (url: string, ...args: string[]) =>
  corral(args.length === 0 ? ['projects', 'list'] : args, { env: { CORRAL_URL: url, CORRAL_TOKEN: token } });

describe('servers that are no working hub', () => {
  test('nothing listens', async () => {
    const url = await answering(() => undefined);
    const server = servers.pop();
    await new Promise((done) => server?.close(done));
    expect(await ask(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The hub at ${url} cannot be reached: nothing listens there.\n`,
    });
  });

  test('a web page', async () => {
    const url = await answering((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    );
    expect(await ask(url)).toMatchObject({
      code: 1,
      stderr: `What answers at ${url} is no Corral hub (status 200).\n`,
    });
  });

  test('a redirect, which is not followed with the token', async () => {
    const url = await answering((_request, response) =>
      response.writeHead(301, { location: 'https://hub.example/api/v1/actions' }).end(),
    );
    expect(await ask(url)).toMatchObject({
      code: 1,
      stderr: `${url} redirects to https://hub.example: give that as the address of the hub.\n`,
    });
  });

  test('a proxy whose hub is down', async () => {
    const url = await answering((_request, response) => response.writeHead(502).end('<p>'));
    expect(await ask(url)).toMatchObject({ code: 1, stderr: 'The hub answered with status 502.\n' });
  });

  test('a server of another protocol', async () => {
    const server = createTcpServer((socket) => socket.end('220 ready\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await ask(url)).toMatchObject({
      code: 1,
      stderr: `The hub at ${url} cannot be reached: what answers there does not speak HTTP.\n`,
    });
    server.close();
  });

  test('an https address of a plain HTTP server', async () => {
    const url = (await answering(() => undefined)).replace('http', 'https');
    expect(await ask(url)).toMatchObject({
      code: 1,
      stderr: `The hub at ${url} cannot be reached: it does not speak TLS there.\n`,
    });
  });
});

describe('exit codes', () => {
  test('0: done', async () => {
    const { code, stdout, stderr } = await ask(await answering(json(200, { projects: [] })));
    expect([code, stdout, stderr]).toEqual([0, 'You can access no project yet.\n', '']);
  });

  test('0: a name below localhost leads to this machine, whatever the resolver knows', async () => {
    const url = (await answering(json(200, { projects: [] }))).replace('127.0.0.1', 'hub.localhost');
    expect(await ask(url)).toMatchObject({ code: 0, stderr: '' });
  });

  test('0: a list of events that is not whole says so', async () => {
    const event = { severity: 'Info', attributes: {}, emittedAt: '2026-09-01T12:00:00Z' };
    const events = ['last', 'second', 'first'].map((body) => ({ ...event, body, eventId: body }));
    const url = await answering(json(200, { events }));
    const list = (limit: string, ...more: string[]) =>
      ask(url, 'devices', 'events', `d_${'1'.repeat(22)}`, '--limit', limit, ...more);
    const cut = await list('2');
    expect([cut.code, cut.stdout.match(/last|second|first/g)]).toEqual([0, ['last', 'second']]);
    expect(cut.stderr).toBe(
      'These are the newest 2; the device has reported more: --limit takes up to 100000.\n',
    );
    expect((await list('3')).stderr).toBe('');
    expect(JSON.parse((await list('2', '--json')).stdout)).toEqual({ events: events.slice(0, 2) });
  });

  test('0: the log of a project is printed line by line, as the hub gave it', async () => {
    const url = await answering(json(200, { lines: ['{"seal":1}', '{"page":"{}"}'] }));
    const projectId = `p_${'1'.repeat(22)}`;
    expect(await ask(url, 'projects', 'export-log', projectId)).toEqual({
      code: 0,
      stdout: '{"seal":1}\n{"page":"{}"}\n',
      stderr: '',
    });
    expect(await ask(await answering(json(200, { lines: [] })), 'projects', 'export-log', projectId)).toEqual(
      {
        code: 0,
        stdout: '',
        stderr: 'The log has no sealed entries yet: the hub seals them within two minutes.\n',
      },
    );
  });

  test.each([
    [400, 'Invalid', 'The field name is missing.', 1],
    [401, 'Forbidden', 'The token is unknown.', 3],
    [403, 'Forbidden', 'Only owners may do this.', 3],
    [429, 'Internal', 'Too many requests.', 1],
  ])('of status %i', async (status, kind, message, exitCode) => {
    const url = await answering(json(status, { kind, message }));
    expect(await ask(url)).toEqual({ code: exitCode, stdout: '', stderr: `${kind}: ${message}\n` });
  });

  test('1: an internal error of the hub is printed with its request id', async () => {
    const body = { kind: 'Internal', message: 'Something went wrong in the hub.', requestId: 'ab-1' };
    expect((await ask(await answering(json(500, body)))).stderr).toBe(
      'Internal: Something went wrong in the hub. (request ab-1)\n',
    );
  });

  test.each([
    [['dance']],
    [['forward', 'd_1']],
    [['forward', 'd_1', '80']],
    [['forward', 'd_1', '8080:80', '08080:81']],
    [['devices', 'events', 'd_1', '--limit', '0']],
    [['devices', 'properties', 'set', 'd_1', 'a', '1', '--protected', 'maybe']],
    [['devices', 'properties', 'set', 'd_1', 'a', '{']],
    [['http-proxy', 'issue-url', 'd_1', '--port', '70000']],
    [['actions', 'execute', 'projects_QueryProjects', '{']],
    [['actions', 'execute', '../x', '{}']],
    [['projects', 'list', '--nonsense']],
    [['packages', 'show', 'firmware']],
    [['versions', 'show', 'firmware/press']],
    [['versions', 'show', 'firmware/press@']],
    [['pull', 'firmware@stable']],
    [['assets', 'show', 'press.img']],
    [['repositories', 'visibility', 'firmware', 'secret']],
    [['publish', '/nonexistent/publish.toml']],
    [['publish', '--metadata', 'x']],
    [[]],
  ])('2: %j is a wrong use, of which the hub hears nothing', async (args) => {
    let requests = 0;
    const url = await answering((_request, response) => {
      requests += 1;
      response.end();
    });
    const { code, stdout, stderr } = await corral(args, { env: { CORRAL_URL: url, CORRAL_TOKEN: token } });
    expect([code, stdout, requests]).toEqual([2, '', 0]);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toBe('');
  });

  test('3: without a configuration', async () => {
    expect(await corral(['whoami'])).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'No hub is configured: run `corral login --url` with its address, or set CORRAL_URL and CORRAL_TOKEN.\n',
    });
  });

  test('4: a conflict, with the answer of the hub', async () => {
    const url = await answering(json(200, { result: 'NameAlreadyExists' }));
    expect(await ask(url, 'actions', 'execute', 'repositories_CreateRepository', '{}')).toEqual({
      code: 4,
      stdout: '{\n  "result": "NameAlreadyExists"\n}\n',
      stderr: 'The hub answered NameAlreadyExists.\n',
    });
  });

  test('1: an output that cannot be written, with a sentence', async () => {
    const url = await answering(json(200, { projects: [] }));
    const { code, stderr } = await corral(['projects', 'list'], {
      env: { CORRAL_URL: url, CORRAL_TOKEN: token },
      stdout: openSync(fileURLToPath(import.meta.url), 'r'),
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: EBADF.*\n$/)]);
  });

  test('5: a truncated answer', async () => {
    const url = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"projects":[', () => response.destroy());
    });
    expect(await ask(url)).toEqual({
      code: 5,
      stdout: '',
      stderr: "The hub's answer did not arrive whole.\n",
    });
  });
});

test('- reads the input from the standard input', async () => {
  let received = '';
  const url = await answering((request, response) => {
    request.on('data', (chunk) => (received += String(chunk)));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  const { code } = await corral(['actions', 'execute', 'some_NewAction', '-'], {
    env: { CORRAL_URL: url, CORRAL_TOKEN: token },
    // As editors and shells of Windows write files.
    input: '\uFEFF{"name": "Plänt"}\r\n',
  });
  expect([code, received]).toEqual([0, '{"name":"Plänt"}']);
});

test('--help is printed by the program itself', async () => {
  const { code, stdout, stderr } = await corral(['devices', 'list', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Usage: corral devices list');
});
