import type { IncomingMessage } from 'node:http';
import { AdmissionError } from './AdmissionError.ts';

const keyForm = /^[+/0-9A-Za-z]{22}==$/;

/** Refuses what is no opening of a WebSocket, before anything is done for it. Throws an AdmissionError. */
export function mustOpenWebSocket({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw malformed('The request must be a GET.');
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    throw malformed('The header Upgrade must be websocket.');
  if (headers['sec-websocket-version'] !== '13')
    throw malformed('The header Sec-WebSocket-Version must be 13.');
  if (!keyForm.test(headers['sec-websocket-key'] ?? ''))
    throw malformed('The header Sec-WebSocket-Key must be 16 bytes in base64.');
}

function malformed(sentence: string): AdmissionError {
  return new AdmissionError(400, 'Invalid', sentence);
}
