/** The language that was chosen in this browser: pages that the server draws, and its answers, speak it (docs/wire/rest.md 3). */
export const LANGUAGE_COOKIE = 'tsd_language'
