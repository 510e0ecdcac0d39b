/** How another node is reached: the name in the certificate of its process, and its host and port. */
export interface PeerNode {
  readonly name: string;
  readonly address: string;
}
