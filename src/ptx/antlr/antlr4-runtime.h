// Stands in for the runtime's umbrella header of this name, which the generated parser includes.
// That one cannot be compiled by clang: misc/InterpreterDataReader.h default-constructs a class
// with uninitialised const members. Less to compile, too.
#pragma once
#include <antlr4-common.h>

#include <ANTLRErrorListener.h>
#include <CharStream.h>
#include <CommonTokenFactory.h>
#include <CommonTokenStream.h>
#include <ConsoleErrorListener.h>
#include <DefaultErrorStrategy.h>
#include <FailedPredicateException.h>
#include <InputMismatchException.h>
#include <Lexer.h>
#include <NoViableAltException.h>
#include <Parser.h>
#include <ParserRuleContext.h>
#include <RuleContext.h>
#include <Vocabulary.h>
#include <atn/ATN.h>
#include <atn/ATNDeserializer.h>
#include <atn/LexerATNSimulator.h>
#include <atn/ParserATNSimulator.h>
#include <dfa/DFA.h>
#include <misc/Interval.h>
#include <misc/IntervalSet.h>
#include <tree/ParseTreeListener.h>
#include <tree/TerminalNode.h>
