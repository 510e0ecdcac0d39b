// What the other domains use of this one.
export { addServiceAccount, deleteServiceAccount } from './sql/service-accounts.ts';
