import type { Duplex } from 'node:stream';
import { retain } from '@corral/multiplex';
import { errors, type Dispatcher } from 'undici';
import type { DeviceStream } from './DeviceStream.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { isChunked, responseHeadOf, type ResponseHead } from './response-head.ts';
import { ResponseLimits } from './ResponseLimits.ts';

type Controller = Dispatcher.DispatchController;

/** Reads the response of one request from undici: first its head, then its body in parts. Each part has to be released. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #stream: DeviceStream;
  readonly #limits = new ResponseLimits();
  readonly #head = Promise.withResolvers<ResponseHead>();
  #end: PromiseWithResolvers<void> | undefined;
  #controller: Controller | undefined;
  #isChunked = false;
  /** The parts that arrived before they were read. */
  #parts: Buffer[] = [];
  #onPart: ((part: Buffer) => void) | undefined;
  #failure: ProxyFailure | undefined;
  /** Whether the body is complete. */
  isDone = false;

  constructor(stream: DeviceStream) {
    this.#stream = stream;
  }

  /** The head of the final response, or of a 101. Rejects with a ProxyFailure. */
  get head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  /** Takes the parts of the body that have arrived so far. Throws a ProxyFailure when the response is broken. */
  takeParts(): Buffer[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#parts.splice(0);
  }

  /** Calls `onPart` with all further parts. Resolves at the end of the body, and rejects with a ProxyFailure when it breaks. */
  readParts(onPart: (part: Buffer) => void): Promise<void> {
    this.#onPart = onPart;
    this.#end = Promise.withResolvers();
    for (const part of this.#parts.splice(0)) onPart(part);
    if (this.isDone) this.#end.resolve();
    if (this.#failure !== undefined) this.#end.reject(this.#failure);
    return this.#end.promise;
  }

  /** Stops reading from the device until `resume`. */
  pause(): void {
    this.#controller?.pause();
  }

  /** Continues after `pause`. */
  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#stream.begin(this.#limits);
  }

  onResponseStart({ rawHeaders }: Controller, status: number): void {
    const head = responseHeadOf(status, rawHeaders);
    // undici takes a 101 without the headers of an upgrade for an informational response.
    if (status === 101) throw new ProxyFailure('garbled');
    if (status < 200) return;
    this.#isChunked = isChunked(head);
    this.#head.resolve(head);
  }

  onResponseData(_controller: Controller, part: Buffer): void {
    this.#limits.countBody(part.length);
    retain(part);
    if (this.#onPart === undefined) this.#parts.push(part);
    else this.#onPart(part);
  }

  onResponseEnd(): void {
    // Otherwise more bytes than the body belong to no response, and undici closes the stream.
    if (this.#isChunked) this.#limits.mustHaveBoundedFraming();
    this.isDone = true;
    this.#stream.complete();
    this.#end?.resolve();
  }

  onRequestUpgrade({ rawHeaders }: Controller, status: number, _headers: unknown, _socket: Duplex): void {
    this.#stream.upgrade();
    this.#head.resolve(responseHeadOf(status, rawHeaders));
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#failure = this.#failureOf(error);
    this.#stream.abort(this.#failure);
    this.#head.reject(this.#failure);
    this.#end?.reject(this.#failure);
  }

  /** First-generation agents accept a channel to a closed port and then end it without a byte. */
  #failureOf(error: Error): ProxyFailure {
    if (error instanceof ProxyFailure) return error;
    if (error instanceof errors.InvalidArgumentError) return new ProxyFailure('malformed');
    if (!this.#stream.readableEnded) return new ProxyFailure('garbled');
    return new ProxyFailure(this.#stream.receivedBytes === 0 ? 'refused' : 'broken');
  }
}
