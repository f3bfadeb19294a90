import { Module } from '@nestjs/common';
import { RouteTable } from './route-table.js';
import { UnknownPathController } from './unknown-path.controller.js';

@Module({ controllers: [UnknownPathController], providers: [RouteTable], exports: [RouteTable] })
export class UnknownPathModule {}
