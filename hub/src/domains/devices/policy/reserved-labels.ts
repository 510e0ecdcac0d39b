/** Words that no label may have: people would take the page of a device for one that asks for a password or money. */
const never =
  'account accounts administrator authentication authorize billing corral credential credentials invoice login logins logoff logon logout oauth passkey password passwords passwd payment payments secure security signin signoff signon signout signup sso verification verify webmail';
/** Words of which a label may not consist: a hub, or DNS and its clients, could use them. */
const notAlone =
  'admin api app apps auth autoconfig autodiscover cdn console dashboard help helpdesk hub id idp imap mail my ns openid portal pop proxy root saml smtp static status support wpad www';

/** Hyphens within a word do not make another one. */
const alternatives = (words: string): string =>
  words
    .split(' ')
    .map((word) => word.split('').join('-?'))
    .join('|');
const hasWord = new RegExp(`(?:^|-)(?:${alternatives(never)})(?:-|$)`);
const isOfWords = new RegExp(`^(?:(?:${alternatives(`${never} ${notAlone}`)})(?:-|$))+$`);
/** Labels with two hyphens there belong to IDNA. */
const isOfIdna = /^..--/;

/** Whether users could mistake a label for the hub, or it is reserved in DNS or IDNA: also with digits between or instead of letters. */
export function isReservedLabel(label: string): boolean {
  if (isOfIdna.test(label)) return true;
  return readingsOf(label).some((text) => hasWord.test(text) || isOfWords.test(text));
}

const letters: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

/** How people read a label: without its digits, or with these as letters, of which 1 is two. */
function readingsOf(label: string): string[] {
  const asLetters = (one: string) =>
    label.replaceAll(/\d/g, (digit) => (digit === '1' ? one : (letters[digit] ?? '')));
  return [label.replaceAll(/\d/g, ''), asLetters('i'), asLetters('l')].map((text) =>
    text.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, ''),
  );
}
