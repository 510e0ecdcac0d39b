/** Where a hub accepts the WebSockets of devices, command lines and peers. */
export const connectPath = '/api/v1/connect/ws';
