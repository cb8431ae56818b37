#include "sous_plugin.h"
