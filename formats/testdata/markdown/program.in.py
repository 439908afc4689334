print("```")
