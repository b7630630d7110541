/// <reference types="vite/client" />

/** A guide of locales/, as HTML (vite.config.ts). */
declare module '*.md' {
  export const html: string
  /** Its headings of the second level. */
  export const sections: { id: string; title: string }[]
}
