/** Only the parts of the protocol's library that are used, so that they are bundled together, and loaded for one command. */
export { CLIENT_CAPABILITIES_META_KEY, inputRequired, McpServer } from '@modelcontextprotocol/server'
export { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
