/** An agent's text as plain text: its HTML is never trusted. Line breaks stay. */
export function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('<', '‹')
    .trim()
}

/** An address that a browser may be led to, or null. */
export function webAddress(url: string | undefined): string | null {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}
