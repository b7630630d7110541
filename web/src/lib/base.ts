/** The path below which this app is served, with both slashes: `/` or `/prefix/`. The server sets <base>. */
export const basePath = new URL('.', document.baseURI).pathname

/** An absolute URL of this server for a path that starts with `/`, such as `/api/v1/printers/`. */
export function serverUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), new URL(basePath, location.origin)).href
}

/** The same for a websocket. */
export function socketUrl(path: string): string {
  return serverUrl(path).replace(/^http/, 'ws')
}
