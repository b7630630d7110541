const BOUNDARY = '9c2f0d6d8b7c41d5a1f0c3b2e4d5f607'

/** The body of a picture as the agents post it (docs/wire/agents.md 3.2). */
export function bodyOf(picture: Uint8Array): Buffer {
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const fields =
    field('is_primary_camera', 'True') + field('is_nozzle_camera', 'False') + field('camera_name', '')
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="pic"; filename="pic"\r\n\r\n`
  return Buffer.concat([Buffer.from(fields + head), picture, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

/** The head of its request. */
export function headOf(token: string, url: string, length: number): string {
  return [
    'POST /api/v1/octo/pic/ HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'User-Agent: python-requests/2.28.1',
    `Authorization: Token ${token}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${length}\r\n\r\n`,
  ].join('\r\n')
}
