// Ends with 0 while the hub of this container runs; with TLS, whatever its certificate says.
const port = process.env.CORRAL_PORT || '8080';
const host = /^(?:|0\.0\.0\.0|::)$/.test(process.env.CORRAL_HOST ?? '')
  ? '127.0.0.1'
  : process.env.CORRAL_HOST;
const isTls = Boolean(process.env.CORRAL_TLS_CERT);
if (isTls) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');
const { status } = await fetch(`${isTls ? 'https' : 'http'}://${host}:${port}/healthz`).catch(() => ({
  status: 0,
}));
process.exitCode = status === 200 ? 0 : 1;
