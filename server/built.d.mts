export declare function builtFolder(root: string): string
