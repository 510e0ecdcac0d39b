/** The simple commands of a shell script as words, without assignments before them, redirections and comments. Quotes are removed. */
export function simpleCommands(script: string): string[][] {
  const commands: string[][] = [[]];
  for (const token of tokensOf(script.replaceAll(/\\\n/g, ' '))) {
    if (token === undefined) commands.push([]);
    else commands.at(-1)?.push(token);
  }
  return commands.map(withoutAssignments).filter((words) => words.length > 0);
}

const part = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|[^\s"'\\;&|<>(){}]+/y;
const separator = /\n|&&|\|\||[;&|(){}]/y;
const redirection = /\d*(?:>>?|<)&?[^\S\n]*\S*/y;
const comment = /#[^\n]*/y;
const blank = /[^\S\n]+/y;

/** The words in their order; undefined where a command ends. */
function tokensOf(script: string): (string | undefined)[] {
  const tokens: (string | undefined)[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(script) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  while (at < script.length) {
    if (take(blank) ?? take(comment) ?? take(redirection)) continue;
    if (take(separator)) {
      tokens.push(undefined);
      continue;
    }
    const word = takeWord(() => take(part));
    if (word === undefined) throw new Error(`This is not understood: ${script.slice(at, at + 40)}`);
    tokens.push(word);
  }
  return tokens;
}

/** A word is what stands side by side, such as `a"b c"`. */
function takeWord(take: () => RegExpExecArray | undefined): string | undefined {
  let word: string | undefined;
  for (let found = take(); found !== undefined; found = take())
    word = (word ?? '') + (found[1] ?? found[2] ?? found[3] ?? found[0]);
  return word;
}

function withoutAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return first < 0 ? [] : words.slice(first);
}
