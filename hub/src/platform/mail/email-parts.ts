import type { Email } from './email.ts';

/** What an e-mail says. */
export interface EmailTexts {
  readonly subject: string;
  /** Paragraphs before the link. */
  readonly before: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  /** Paragraphs after the link. */
  readonly after: readonly string[];
}

/** Subject, text, HTML and link of an e-mail. Both parts say the same. */
export function emailParts(
  texts: EmailTexts,
  publicUrl: string,
): Pick<Email, 'subject' | 'text' | 'html' | 'link'> {
  const signature = `Sent by Corral at ${publicUrl}. Replies to this e-mail are not read.`;
  return {
    subject: texts.subject,
    text: asText(texts, signature),
    html: asHtml(texts, signature),
    link: texts.link.url,
  };
}

function asText({ before, link, after }: EmailTexts, signature: string): string {
  return `${[...before, link.url, ...after, `-- \n${signature}`].join('\n\n')}\n`;
}

// The console's tokens. Inline styles hold in every mail program, those for the dark in the ones that know the media query.
const font = "font-family:'Segoe UI',system-ui,-apple-system,Helvetica,Arial,sans-serif";
const dark = `@media (prefers-color-scheme: dark) {
.canvas { background: #15130e !important; }
.surface { background: #1d1a14 !important; border-color: #373227 !important; }
.ink { color: #f2ede3 !important; }
.ink2 { color: #c2b9a8 !important; }
.ink3 { color: #a09785 !important; }
.denim { background: #9ab2f2 !important; border-color: #9ab2f2 !important; color: #14120d !important; }
.rivet { background: #e6a074 !important; }
}`;

/** Tables and inline styles, since mail programs for desktops know no other layout. */
function asHtml({ subject, before, link, after }: EmailTexts, signature: string): string {
  const url = escapeHtml(link.url);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>:root { color-scheme: light dark; }
${dark}</style></head>
<body class="canvas" style="margin:0;padding:0;background:#f6f3ec">
${table('width="100%" class="canvas" bgcolor="#f6f3ec" style="background:#f6f3ec"')}<tr><td align="center" style="padding:32px 12px">
<!--[if mso]>${table('width="600"')}<tr><td><![endif]-->
${table('width="100%" style="max-width:600px"')}
<tr><td style="padding:0 4px 14px">${wordmark()}</td></tr>
<tr><td class="surface" bgcolor="#fffdf8" style="padding:28px 28px 12px;background:#fffdf8;border:1px solid #dcd5c6;border-radius:6px">
<h1 class="ink" style="margin:0 0 16px;${font};font-size:22px;line-height:28px;font-weight:700;color:#211c14">${escapeHtml(subject)}</h1>
${before.map(paragraph).join('\n')}
${button(url, link.label)}
<p class="ink3" style="margin:0 0 20px;${font};font-size:13px;line-height:18px;color:#6c6353;word-break:break-all">${url}</p>
${after.map(paragraph).join('\n')}
</td></tr>
<tr><td class="ink3" style="padding:16px 4px 0;${font};font-size:13px;line-height:18px;color:#6c6353">${escapeHtml(signature)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>
`;
}

const table = (attributes: string, spacing = 0): string =>
  `<table role="presentation" cellpadding="0" cellspacing="${spacing}" border="0" ${attributes}>`;

/** The mark as cells of a table, since mail programs show neither shapes nor images of their own: posts in a ring with a gate. */
function wordmark(): string {
  const row = (first: string, middle: string, last: string): string => `<tr>${first}${middle}${last}</tr>`;
  const post = cell('class="denim" bgcolor="#2f4a8c"', '#2f4a8c');
  const rivet = cell('class="rivet" bgcolor="#9a4b22"', '#9a4b22');
  const mark = `${table('', 2)}${row(post, post, post)}${row(post, rivet, post)}${row(post, cell('', 'transparent'), post)}</table>`;
  const name = `<td class="ink" style="padding-left:8px;${font};font-size:18px;line-height:24px;font-weight:700;color:#211c14">Corral</td>`;
  return `${table('')}<tr><td>${mark}</td>${name}</tr></table>`;
}

const cell = (attributes: string, colour: string): string =>
  `<td ${attributes} width="5" height="5" style="width:5px;height:5px;font-size:0;line-height:0;border-radius:3px;background:${colour}"></td>`;

/** The space around the label belongs to the link; Word, which draws Outlook's e-mails, takes it from the cell. */
function button(url: string, label: string): string {
  const link = `<a href="${url}" class="denim" style="display:inline-block;padding:11px 20px;border-radius:4px;background:#2f4a8c;${font};font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a>`;
  return `${table('style="margin:4px 0 12px"')}<tr><td class="denim" bgcolor="#2f4a8c" style="border-radius:4px;background:#2f4a8c;mso-padding-alt:11px 20px">${link}</td></tr></table>`;
}

function paragraph(sentence: string): string {
  return `<p class="ink2" style="margin:0 0 16px;${font};font-size:15px;line-height:23px;color:#564e40;overflow-wrap:anywhere">${escapeHtml(sentence)}</p>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
