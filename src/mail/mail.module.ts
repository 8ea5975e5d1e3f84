import { Module } from '@nestjs/common';
import { MailSender } from './mail-sender.js';
import { MailTransport } from './mail-transport.js';
import { MailService } from './mail.service.js';

@Module({ providers: [MailSender, MailService, MailTransport], exports: [MailService] })
export class MailModule {}
