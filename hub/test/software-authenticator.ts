import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Output, PasskeyAssertion, PasskeyRequest } from '@corral/contract';

type Creation = Output<'users_BeginPasskeyRegistration'>;

/** What an answer says in place of what is right. */
export interface Deviations {
  readonly rpId?: string;
  readonly origin?: string;
  readonly challenge?: string;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Of an assertion: signs with another key. */
  readonly isBogus?: boolean;
  /** Of a registration: the COSE algorithm of its key. */
  readonly algorithm?: number;
  /** Of a registration: what vouches for it. */
  readonly attestation?: Readonly<Record<string, CborValue>>;
  readonly type?: string;
}

/** One passkey of one user, made with node:crypto; everything that it says may be wrong. */
export interface SoftwarePasskey {
  readonly credentialId: string;
  create(options: Creation, deviations?: Deviations): Record<string, unknown>;
  use(request: PasskeyRequest, deviations?: Deviations): PasskeyAssertion;
}

/** Makes one for pages of this origin. */
export function softwarePasskey(origin: string): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let uses = 0;
  const client = (type: string, challenge: string, more: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type: more.type ?? type,
        challenge: more.challenge ?? challenge,
        origin: more.origin ?? origin,
      }),
    );
  return {
    credentialId,
    create({ challenge, rpId }, more = {}) {
      const key = coseKey(publicKey, more.algorithm ?? -7);
      const length = Buffer.from([id.length >> 8, id.length & 0xff]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const authData = Buffer.concat([authenticatorData(more.rpId ?? rpId, 0x40, 0, more), attested]);
      const { attestation = { fmt: 'none', attStmt: {} } } = more;
      return {
        credentialId,
        clientDataJSON: client('webauthn.create', challenge, more).toString('base64url'),
        attestationObject: cbor({ ...attestation, authData }).toString('base64url'),
        transports: ['internal'],
      };
    },
    use({ challenge, rpId }, more = {}) {
      uses += 1;
      const data = authenticatorData(more.rpId ?? rpId, 0, more.counter ?? uses, more);
      const clientData = client('webauthn.get', challenge, more);
      const signed = Buffer.concat([data, sha256(clientData)]);
      const { userHandle } = more;
      return {
        credentialId,
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, more.isBogus === true ? other : privateKey).toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      };
    },
  };
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

function authenticatorData(
  rpId: string,
  flags: number,
  counter: number,
  { isPresent = true, isVerified = true }: Deviations,
): Buffer {
  const rest = Buffer.alloc(5);
  rest[0] = flags | (isPresent ? 1 : 0) | (isVerified ? 4 : 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), rest]);
}

function coseKey(publicKey: KeyObject, algorithm: number): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = (text: string) => Buffer.from(text, 'base64url');
  return cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]),
  );
}

type CborValue =
  | number
  | string
  | Buffer
  | readonly CborValue[]
  | ReadonlyMap<number, CborValue>
  | { readonly [key: string]: CborValue };

/** As much of CBOR as authenticators write. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const entries: [CborValue, CborValue][] =
    value instanceof Map ? [...value] : Object.entries(value as { readonly [key: string]: CborValue });
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
