import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, vi } from 'vitest';
import type { HttpHub } from './http-hub.ts';

/** A connection that has sent text; `heard` is what came back so far. */
export interface RawRequest {
  readonly socket: Socket;
  heard(): string;
}

/** Sends requests as text from addresses of loopback, and counts those that the hub paced. */
export interface RawRequests extends Disposable {
  open(text: string, localAddress: string): Promise<RawRequest>;
  /** Sends a request and waits for the beginning of its answer. */
  answered(text: string, localAddress: string): Promise<string>;
  /** How many requests had to wait or were refused since the hub started. */
  pacedSoFar(): Promise<number>;
  /** How many of them there were while this one was answered, which must not be refused for being too many. */
  pacedWith(text: string, localAddress: string): Promise<number>;
}

/** A GET without a body. */
export const getOf = (path: string, more = '', host = 'localhost'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

/** Sends requests to a hub. */
export function rawRequests(hub: () => HttpHub): RawRequests {
  const opened: Socket[] = [];
  const open: RawRequests['open'] = async (text, localAddress) => {
    const { port } = hub().http.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    opened.push(socket);
    let heard = '';
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString())).on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return { socket, heard: () => heard };
  };
  const answered: RawRequests['answered'] = async (text, localAddress) => {
    const { socket, heard } = await open(text, localAddress);
    await vi.waitFor(() => expect(heard()).toMatch(/^HTTP\/1\.1 \d+/), { timeout: 8_000 });
    socket.destroy();
    return heard();
  };
  const pacedSoFar = async (): Promise<number> => {
    const { text } = await hub().call('/metrics');
    return Number(/^corral_paced_requests (\d+)$/m.exec(text)?.[1]);
  };
  return {
    open,
    answered,
    pacedSoFar,
    async pacedWith(text, localAddress) {
      const before = await pacedSoFar();
      expect(await answered(text, localAddress)).not.toMatch(/^HTTP\/1\.1 429 /);
      return (await pacedSoFar()) - before;
    },
    [Symbol.dispose]() {
      for (const socket of opened) socket.destroy();
    },
  };
}
