/** Longest session description that is passed on, in characters; real ones have 2 to 8 thousand. */
const MAX_SDP = 32_768
const LINE = /^[a-z]=[\x20-\x7e]*$/
const MAX_CANDIDATES = 64

/** Whether a text is a session description in form: lines of one letter and printable words, with few candidates. */
export function isSdp(text: string): boolean {
  if (text.length > MAX_SDP || !text.startsWith('v=0')) return false
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const candidates = lines.filter((line) => line.startsWith('a=candidate:')).length
  return candidates <= MAX_CANDIDATES && lines.every((line) => LINE.test(line))
}

/**
 * Takes addresses out of a printer's session description that no browser needs: of its origin, its connection, and those behind a
 * candidate's own address. Candidates stay: without them nothing connects.
 */
export function withoutAddresses(sdp: string): string {
  return sdp
    .replace(/^(o=\S{1,99} \S{1,99} \S{1,99} IN )IP[46] \S{1,99}/gm, '$1IP4 127.0.0.1')
    .replace(/^(c=IN )IP[46] \S{1,99}/gm, '$1IP4 0.0.0.0')
    .replace(/^(a=rtcp:\d{1,5} IN )IP[46] \S{1,99}/gm, '$1IP4 0.0.0.0')
    .replace(/^(a=candidate:.{0,1000})$/gm, (candidate) => withoutRelated(candidate))
}

/** A candidate without the address behind its own. */
export const withoutRelated = (candidate: string): string =>
  candidate.replace(/ raddr \S{1,99} rport \d{1,5}/, ' raddr 0.0.0.0 rport 0')
