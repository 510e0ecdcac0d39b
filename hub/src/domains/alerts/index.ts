// What the other domains use of this one.
export { firedOfDevice } from './sql/fired-of-device.ts';
