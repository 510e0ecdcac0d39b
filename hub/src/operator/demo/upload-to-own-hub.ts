import { once } from 'node:events';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';

/** How this process reaches its own hub. */
export interface OwnAddress {
  /** Its origin. */
  readonly url: string;
  /** The certificate that it presents, as PEM; undefined without TLS. */
  readonly certificate: string | undefined;
}

/** Sends bytes to an address that this hub issued, trusting its own certificate alone. Rejects with its answer unless it is a success. */
export async function uploadToOwnHub(issued: string, content: Buffer, hub: OwnAddress): Promise<void> {
  const { pathname, search } = new URL(issued);
  const target = `${hub.url}${pathname}${search}`;
  const options = { method: 'PUT', headers: { 'content-length': content.length }, agent: false };
  const request =
    hub.certificate === undefined
      ? plainRequest(target, options)
      : secureRequest(target, {
          ...options,
          ca: hub.certificate,
          allowPartialTrustChain: true,
          checkServerIdentity: () => undefined,
        });
  request.end(content);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const words = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`The demo could not upload a file: ${words}`);
}
