// What the other domains use of this one.
export { findSigner, type Signer } from './policy/find-signer.ts';
export { reencryptAuthorityKeys } from './sql/authorities.ts';
