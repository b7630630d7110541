/** What code in TypeScript asks of bootstrap.mjs. */
export declare function buildServer(): void
