/** Whether a host name, as in `URL.hostname`, is this machine: a loopback address, `localhost`, or a name below it (RFC 6761). */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}
