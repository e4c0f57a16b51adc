const PROGRAMS =
  /^(?:cp|deploy\/|docker|git|handrail(?:-content)? (?=\w)|install|kubectl|mkdir|mv|node|npm|npx|\/opt\/|openssl|printf|redis-cli|runuser|sed|systemctl|until|useradd|export \w+=\S+)\b ?/

/** The commands in the fences of a page, and those in its text, without comments. */
export function commandsOf(page: string): string[] {
  const fences = Array.from(page.matchAll(/^ *```sh\n([^`]*)```/gm), ([, text = '']) =>
    text.split('\n'),
  ).flat()
  const inline = Array.from(
    page.replaceAll(/^ *```[^`]*```/gm, '').matchAll(/`([^`\n]+)`/g),
    ([, text = '']) => text,
  )
  return [...fences, ...inline]
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => PROGRAMS.test(line) && !/^deploy\/\S+$/.test(line))
}
