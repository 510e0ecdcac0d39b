/**
 * Whether a host name, as `URL.hostname` has it, is this machine: an address of loopback, `localhost`, or a name below it (RFC 6761), such as
 * `hub.localhost`.
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}
