import { Module } from '@nestjs/common';
import { AuthModule } from '../../features/auth/auth.module.js';
import { QuotaModule } from '../../features/quota/quota.module.js';
import { ApiDescription } from './api-description.js';
import { LlmsController } from './llms.controller.js';
import { McpController } from './mcp.controller.js';

/** Provides `/mcp` and `/llms.txt` for agents. */
@Module({
  imports: [AuthModule, QuotaModule],
  controllers: [LlmsController, McpController],
  providers: [ApiDescription],
  exports: [ApiDescription],
})
export class AgentsModule {}
