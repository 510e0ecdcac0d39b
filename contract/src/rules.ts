// The rules for texts that people type. The hub and the console both use them, so a form accepts exactly what the hub accepts.
// Each rule returns what is wrong, or undefined. Lengths count code points, as people do.

import { asciiDomain, readableDomain } from './domain-names.ts';
import { deviceFields } from './filter/list-fields.ts';

/** The longest name of a person, project, token or device, in characters. */
export const maxNameCharacters = 200;
/** The longest e-mail address, in characters. */
export const maxEmailCharacters = 254;
/** The shortest password, in characters. */
export const minPasswordCharacters = 8;
/** The longest password, in bytes of UTF-8. */
export const maxPasswordBytes = 1024;
/** The longest name of a repository, name of a package, or tag, in characters. */
export const maxPathNameCharacters = 128;
/** How many projects, and how many repositories, the bounds of a user token name at most. */
export const maxTokenBounds = 100;
/** How many certificates of devices one call accepts at most. */
export const maxCertificatesAtOnce = 500;
/** How many filters one call counts the devices of. */
export const maxCountedFilters = 8;
/** The longest name of a saved view, in characters. */
export const maxViewNameCharacters = 60;
/** The longest name of a label of a device, in characters. */
export const maxLabelNameCharacters = 60;
/** The longest value of a label of a device, in characters. */
export const maxLabelValueCharacters = 100;
/** How many fields of a project's devices may be versions. */
export const maxVersionFields = 4;
/** The longest field that is a version, in characters. */
const maxVersionFieldCharacters = 200;
/** The named fields of devices that these report themselves. */
const reportedFields: ReadonlySet<string> = new Set(['agent', 'os', 'arch', 'kernel']);
/** How many saved views of a project a user may have. */
export const maxSavedViews = 50;
/** The longest file name in a package or version, in characters. */
export const maxFilenameCharacters = 256;

/** The sentence about each problem; the console may translate it. */
export const problemMessages = {
  nameEmpty: 'Name must not be empty.',
  nameInvisible: 'A name must have a visible character.',
  nameTooLong: `Name must be at most ${maxNameCharacters} characters long.`,
  displayNameEmpty: 'Display name must not be empty.',
  displayNameTooLong: `Display name must be at most ${maxNameCharacters} characters long.`,
  fullNameEmpty: 'Please enter your full name.',
  fullNameTooLong: `Full name must be at most ${maxNameCharacters} characters long.`,
  deviceNameTooLong: `Device name must be at most ${maxNameCharacters} characters long.`,
  labelNameEmpty: 'Label must not be empty.',
  labelNameTooLong: `Label must be at most ${maxLabelNameCharacters} characters long.`,
  labelNameInvalid: 'Label must begin with a letter or a digit, and may also contain ".", "_", "/" and "-".',
  labelValueEmpty: 'Value must not be empty.',
  labelValueInvisible: 'Value must not contain invisible characters.',
  labelValueTooLong: `Value must be at most ${maxLabelValueCharacters} characters long.`,
  versionFieldsTooMany: `At most ${maxVersionFields} fields can be versions.`,
  versionFieldTooLong: `A field must be at most ${maxVersionFieldCharacters} characters long.`,
  versionFieldInvalid:
    'A field is the name of a property, and a path in it after a dot, such as "firmware" or "ota.version".',
  versionFieldIsLabel: 'A label is set by people; name what devices report.',
  versionFieldIsOfHub:
    'Fields such as "name" or "connected" are known to the hub; name what devices report, such as "firmware".',
  viewNameEmpty: 'Name of the view must not be empty.',
  viewNameTooLong: `Name of the view must be at most ${maxViewNameCharacters} characters long.`,
  emailInvalid: 'Please enter a valid email address.',
  passwordTooShort: `Password must be at least ${minPasswordCharacters} characters long.`,
  passwordTooLong: `Password must be at most ${maxPasswordBytes} bytes long.`,
  passwordIsName:
    'The password must not be your e-mail address or the name of this product. Please choose another one.',
  repositoryNameEmpty: 'Repository name must not be empty.',
  repositoryNameTooLong: `Repository name must be at most ${maxPathNameCharacters} characters long.`,
  repositoryNameInvalid:
    'Repository name must not contain slashes, @, ~ or invisible characters, and must not be "." or "..".',
  packageNameEmpty: 'Package name must not be empty.',
  packageNameTooLong: `Package name must be at most ${maxPathNameCharacters} characters long.`,
  packageNameInvalid:
    'Package name must begin with a letter A–Z or a digit, and may also contain ".", "_" and "-".',
  tagEmpty: 'Tag must not be empty.',
  tagTooLong: `Tag must be at most ${maxPathNameCharacters} characters long.`,
  tagInvalid: 'Tag must begin with a letter A–Z or a digit, and may also contain ".", "_", "-" and "+".',
  filenameEmpty: 'File name must not be empty.',
  filenameTooLong: `File name must be at most ${maxFilenameCharacters} characters long.`,
  filenameInvalid: 'File name must not be "." or "..", nor have one of them as a folder.',
  packageKindTooLong: `Kind must be at most ${maxNameCharacters} characters long.`,
  versionNameTooLong: `Version name must be at most ${maxNameCharacters} characters long.`,
  quotaBytesInvalid:
    'Size must be a number with KiB, MiB, GiB or TiB, such as 50 GiB, and less than 8192 TiB, or empty.',
  portInvalid: 'The port must be from 1 to 65535.',
  quotaAssetsInvalid: 'Assets must be a whole number, such as 10000, or empty.',
} as const;

/** What is wrong with a typed text. */
export type Problem = keyof typeof problemMessages;

const productName = 'corral';
// Characters that separate addresses are refused: `a,b@example.com` would be mail to b.
const emailForm = /^[^\s@\p{Cc}<>()[\]\\,;:"]+@[^\s@\p{Cc}<>()\\,;"]+$/u;

/** The length of a text in characters: code points, not UTF-16 units, so that an emoji counts as one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Characters that show nothing, or change how others are shown; they hide in a text, and make one look like another. */
const hidden = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}`;
const hiddenForm = new RegExp(`[${hidden}]`, 'u');
const visibleForm = new RegExp(`[^${hidden}\\p{M}\\p{Co}]`, 'u');

/** Whether a text has invisible characters other than blanks and those that choose the colours of an emoji. */
export function hasInvisible(text: string): boolean {
  return hiddenForm.test(text.replace(/[\p{Zs}\ufe0e\ufe0f]/gu, ''));
}

/** Whether a text has characters, and shows none of them. */
export function isInvisible(typed: string): boolean {
  return typed.trim() !== '' && !visibleForm.test(typed);
}

const longestNames = {
  name: maxNameCharacters,
  displayName: maxNameCharacters,
  fullName: maxNameCharacters,
  deviceName: maxNameCharacters,
  viewName: maxViewNameCharacters,
};

/** The rule for a name, which is stored trimmed; `kind` selects the sentence. Only that of a device may be blank. */
export function nameProblem(typed: string, kind: keyof typeof longestNames): Problem | undefined {
  const name = typed.trim().normalize();
  if (name === '') return kind === 'deviceName' ? undefined : `${kind}Empty`;
  if (isInvisible(name)) return 'nameInvisible';
  return characterCount(name) > longestNames[kind] ? `${kind}TooLong` : undefined;
}

/** The rule for the name of a label of a device, which is stored trimmed: filters can name it without quotation marks. */
export function labelNameProblem(typed: string): Problem | undefined {
  const name = typed.trim().normalize();
  if (name === '') return 'labelNameEmpty';
  if (characterCount(name) > maxLabelNameCharacters) return 'labelNameTooLong';
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/-]*$/u.test(name) ? undefined : 'labelNameInvalid';
}

/** The rule for the value of a label that is a text, which is stored trimmed. */
export function labelValueProblem(typed: string): Problem | undefined {
  const value = typed.trim();
  if (value === '') return 'labelValueEmpty';
  if (hasInvisible(value)) return 'labelValueInvisible';
  return characterCount(value.normalize()) > maxLabelValueCharacters ? 'labelValueTooLong' : undefined;
}

/** The rule for fields that are versions, with white space between them; none are allowed. */
export function versionFieldsProblem(typed: string): Problem | undefined {
  const fields = typed.split(/\s+/u).filter((field) => field !== '');
  if (fields.length > maxVersionFields) return 'versionFieldsTooMany';
  for (const field of fields) {
    if (field.length > maxVersionFieldCharacters) return 'versionFieldTooLong';
    if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._/-]*$/u.test(field) || field.endsWith('.'))
      return 'versionFieldInvalid';
    if (field.startsWith('label.')) return 'versionFieldIsLabel';
    if (Object.hasOwn(deviceFields.named, field) && !reportedFields.has(field)) return 'versionFieldIsOfHub';
  }
  return undefined;
}

/** The rule for a typed port of a device. */
export function portProblem(typed: string): Problem | undefined {
  const port = typed.trim();
  return /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535 ? undefined : 'portInvalid';
}

/** The form in which e-mail addresses are stored and compared: trimmed, in lower case, in Unicode's composed form (NFC), and with a readable domain instead of `xn--`. */
export function canonicalEmail(typed: string): string {
  const email = lowered(typed);
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + readableDomain(email.slice(at));
}

/** How an address may be stored: as it was typed, in its canonical form, and with `xn--`. Earlier releases kept what was typed, in lower case. */
export function emailSpellings(typed: string): readonly string[] {
  const email = canonicalEmail(typed);
  const at = email.lastIndexOf('@') + 1;
  const ascii = email.slice(0, at) + (asciiDomain(email.slice(at)) ?? '');
  return [...new Set([typed.trim().toLowerCase(), email, ascii])];
}

const lowered = (typed: string): string => typed.trim().normalize().toLowerCase().normalize();

/** The rule for an e-mail address. */
export function emailProblem(typed: string): Problem | undefined {
  const email = canonicalEmail(typed);
  const isAddress =
    emailForm.test(email) &&
    !hiddenForm.test(typed.trim()) &&
    !hiddenForm.test(email) &&
    (email.includes('[') || asciiDomain(email.slice(email.lastIndexOf('@') + 1)) !== undefined) &&
    characterCount(email) <= maxEmailCharacters;
  return isAddress ? undefined : 'emailInvalid';
}

/**
 * The rule for a new password of the owner of an e-mail address. It is checked as typed, in the composed form (NFC) that is hashed: not trimmed, not truncated, without
 * rules about kinds of characters. The hub also refuses common passwords, whose list is too large for the console.
 */
export function passwordProblem(typed: string, email: string): Problem | undefined {
  const password = typed.normalize();
  if (characterCount(password) < minPasswordCharacters) return 'passwordTooShort';
  if (new TextEncoder().encode(password).length > maxPasswordBytes) return 'passwordTooLong';
  return isNameOf(password.toLowerCase(), canonicalEmail(email)) ? 'passwordIsName' : undefined;
}

/** Whether a password is the address, its local part, or the product's name, also with digits and punctuation appended. */
function isNameOf(password: string, email: string): boolean {
  const names = [productName, email, email.split('@')[0] ?? email].filter((name) => name !== '');
  const withoutSuffix = password.replace(/[^\p{L}]+$/u, '');
  return names.some((name) => password === name || withoutSuffix === name || password === name.repeat(2));
}
