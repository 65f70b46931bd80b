const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters and those that turn the direction of text around: they could show another program than ran. */
const hiddenCharacters = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text as HTML shows it, inside of elements and of quoted attributes; what cannot be seen is spelled out. */
export function escapeHtml(text: string): string {
  return text
    .replace(hiddenCharacters, (character) =>
      character === "\n" || character === "\t" ? character : `\\u{${character.charCodeAt(0).toString(16)}}`,
    )
    .replace(/[&<>"']/g, (character) => entities[character] as string);
}
