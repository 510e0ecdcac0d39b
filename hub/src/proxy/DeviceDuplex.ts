import { Duplex } from 'node:stream';
import type { DeviceStream } from './DeviceStream.ts';
import { ProxyFailure } from './ProxyFailure.ts';

const bufferBytes = 65_536;

/** A DeviceStream as a Node Duplex. It is destroyed with an error when the device's stream breaks. */
export class DeviceDuplex extends Duplex {
  readonly #stream: DeviceStream;

  constructor(stream: DeviceStream) {
    super({ readableHighWaterMark: bufferBytes, writableHighWaterMark: bufferBytes });
    this.#stream = stream;
  }

  override _read(): void {
    this.#stream.read().then(
      (bytes) => void (this.destroyed || this.push(bytes)),
      (error: Error) => void this.destroy(error),
    );
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    void this.#stream.write(bytes).then(done);
  }

  override _final(done: () => void): void {
    this.#stream.endWriting();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error !== null || !this.readableEnded || !this.writableFinished)
      this.#stream.abort(error instanceof ProxyFailure ? error : new ProxyFailure('broken'));
    done(error);
  }
}
